// The tour shows a card among the news of the game screen, while it goes on.

import { words } from "../../words";
import { extras } from "../game/extras";
import { TourCard } from "./TourCard";
import "./tour.css";

extras.push({ id: "tour", icon: "play", label: words.tour.label, shown: () => false, Sheet: () => null, Over: TourCard });

// While the tour runs, it shows a card among the news of the game screen.

import { words } from "../../words";
import { extras } from "../game/extras";
import { TourCard } from "./TourCard";
import "./tour.css";

extras.push({ id: "tour", icon: "play", label: words.tour.label, shown: () => false, Sheet: () => null, Over: TourCard });

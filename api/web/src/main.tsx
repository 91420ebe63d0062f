import { render } from "preact";
import type { JSX } from "preact";
import "@preact/signals";
import { later } from "./parts/Later";
import { BusyView, NoticeView } from "./parts/Notice";
import { GamePage } from "./parts/game/GamePage";
import { Home } from "./parts/Home";
import { Join } from "./parts/join/Join";
import { Opening } from "./parts/Opening";
import "./parts/measure";
import "./parts/photo/PhotoTurn";
import "./parts/rules";
import "./parts/start/menu";
import "./parts/tour";
import { screen } from "./screens";
import { start } from "./shell";
import "./app.css";
// The styles of screens that are loaded later: they are all in the one style sheet.
import "./parts/start/start.css";
import "./parts/prints/prints.css";
import "./parts/camera/camera.css";
import "./parts/learnt/learnt.css";
import "./parts/report/report.css";
import "./parts/seats/seats.css";
import "./parts/replay/replay.css";

const Cameras = later(() => import("./parts/camera/Cameras").then((part) => part.Cameras));
const Learnt = later(() => import("./parts/learnt/Learnt").then((part) => part.Learnt));
const Prints = later(() => import("./parts/prints/Prints").then((part) => part.Prints));
const Replay = later(() => import("./parts/replay/Replay").then((part) => part.Replay));
const Report = later(() => import("./parts/report/Report").then((part) => part.Report));
const Seats = later(() => import("./parts/seats/Seats").then((part) => part.Seats));
const Start = later(() => import("./parts/start/Start").then((part) => part.Start));

function Shown(): JSX.Element | null {
  const shown = screen.value;
  switch (shown.name) {
    case "join":
      return <Join token={shown.token} to={shown.to} />;
    case "seats":
      return <Seats key={shown.id} id={shown.id} />;
    case "game":
      return <GamePage key={shown.id} id={shown.id} />;
    case "replay":
      return <Replay key={shown.id} id={shown.id} seq={shown.seq} />;
    case "report":
      return <Report key={shown.id} id={shown.id} />;
    case "start":
      return <Start />;
    case "prints":
      return <Prints />;
    case "learnt":
      return <Learnt />;
    case "camera":
      return <Cameras />;
    case "table":
      return <Opening key={shown.id} table={shown.id} />;
    default:
      return <Home />;
  }
}

function Page(): JSX.Element {
  return (
    <>
      <Shown />
      <NoticeView />
      <BusyView />
    </>
  );
}

start();
if (window.isSecureContext && "serviceWorker" in navigator) {
  void navigator.serviceWorker.register("/worker.js").catch(() => undefined); // without one, the page needs its server to open
}
render(<Page />, document.getElementById("page") as HTMLElement);

import { render } from "preact";
import type { JSX } from "preact";
import "@preact/signals";
import { BusyView, NoticeView } from "./parts/Notice";
import { Home } from "./parts/Home";
import { TablePage } from "./parts/TablePage";
import { screen } from "./screens";
import { start } from "./store";
import "./app.css";

function Shown(): JSX.Element | null {
  switch (screen.value.name) {
    case "table":
      return <TablePage />;
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
render(<Page />, document.getElementById("page") as HTMLElement);

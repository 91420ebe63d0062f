import { render } from "preact";
import type { JSX } from "preact";
import "@preact/signals";
import { BusyView, NoticeView } from "./parts/Notice";
import { Home } from "./parts/Home";
import { TablePage } from "./parts/TablePage";
import { start, table } from "./store";
import "./app.css";

function Page(): JSX.Element {
  return (
    <>
      {table.value === null ? <Home /> : <TablePage />}
      <NoticeView />
      <BusyView />
    </>
  );
}

start();
render(<Page />, document.getElementById("page") as HTMLElement);

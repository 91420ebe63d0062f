import type { JSX } from "preact";
import { shared, showShared } from "../../measure";
import { words } from "../../words";

const say = words.measure;

export function SharedTab(): JSX.Element {
  if (shared.value.length === 0) return <p class="quiet">{say.sharedNone}</p>;
  return (
    <ul class="m-lines shared" data-test="shared-list">
      {shared.value.map((one) => (
        <li key={one.id}>
          <button onClick={() => showShared(one)} data-test="shared-row">
            <strong>{one.by}</strong>
            <span>{one.measurement.says}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

import type { JSX } from "preact";
import { demo, host, open, openTableFile, tables } from "../store";
import { tableName, text } from "../text";
import { Icon } from "./icons";
import { ThemeButton } from "./ThemeButton";

export function Home(): JSX.Element {
  const address = host.value?.addresses[0];
  return (
    <main class="home">
      <header class="home-head">
        <img src="/icon.svg" alt="" width="52" height="52" />
        <div>
          <h1>{text.name}</h1>
          <p>{text.tagline}</p>
        </div>
        <ThemeButton />
      </header>
      <div class="choices">
        <label class="choice primary">
          <Icon name="file" />
          <span>
            <strong>{text.openTable}</strong>
            <small>{text.openTableHint}</small>
          </span>
          <input
            type="file"
            accept=".toml,application/toml,text/plain"
            class="unseen"
            data-test="table-file"
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              event.currentTarget.value = "";
              if (file) void openTableFile(file);
            }}
          />
        </label>
        {host.value?.demo && (
          <button class="choice" onClick={() => void demo()} data-test="demo">
            <Icon name="play" />
            <span>
              <strong>{text.demo}</strong>
              <small>{text.demoHint}</small>
            </span>
          </button>
        )}
      </div>
      {tables.value !== null && tables.value.length > 0 && (
        <section>
          <h2>{text.recent}</h2>
          <ul class="tables">
            {tables.value.map((one) => (
              <li key={one.id}>
                <button onClick={() => open(one.id)}>
                  <span>
                    <strong>{tableName(one.name)}</strong>
                    <small>
                      {text.tableLine(one.units, one.has_photo)} · {new Date(one.created).toLocaleString()}
                    </small>
                  </span>
                  <Icon name="right" />
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {address !== undefined && (
        <section class="join">
          <img src="/api/host/qr.svg" alt={text.qr(address)} width="148" height="148" />
          <div>
            <h2>{text.join}</h2>
            <p>{text.joinHint}</p>
            <p class="address">{address.replace("http://", "")}</p>
          </div>
        </section>
      )}
    </main>
  );
}

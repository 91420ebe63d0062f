import type { JSX } from "preact";
import { setTheme, theme } from "../shell";
import { text } from "../words/shared";
import { Icon } from "./icons";

export function ThemeButton(): JSX.Element {
  const dark = theme.value === "dark";
  return (
    <button
      class="round"
      aria-label={dark ? text.light : text.dark}
      data-test="theme"
      onClick={() => setTheme(dark ? "light" : "dark")}
    >
      <Icon name={dark ? "sun" : "moon"} />
    </button>
  );
}

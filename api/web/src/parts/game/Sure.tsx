import type { JSX } from "preact";
import { sending } from "../../game";
import { words } from "../../words";

interface SureProps {
  says: string;
  yes: string;
  tests: { says: string; yes: string };
  act: () => void;
  back: () => void;
}

// A confirmation before something that is seldom intended.
export const Sure = ({ says, yes, tests, act, back }: SureProps): JSX.Element => (
  <div class="sure" role="alert">
    <p data-test={tests.says}>{says}</p>
    <button class="go wide" data-test={tests.yes} disabled={sending.value} onClick={act}>
      {yes}
    </button>
    <button class="soft-go wide" data-test="not-yet" onClick={back}>
      {words.game.back}
    </button>
  </div>
);

// The pictures of one camera: each one checked, what they cover so far, the next step, and the result.

import type { JSX } from "preact";
import type { CameraOut, SoFar, SolvedOut } from "../../schema";
import { guarded } from "../../shell";
import { camera as say } from "../../words/camera";
import { Icon, type IconName } from "../icons";
import { READ } from "../PhotoButtons";
import { last, look, refused, solve, solving, waiting } from "./calibrating";

export function Taking({ camera }: { camera: CameraOut }): JSX.Element {
  const { so_far: sofar, solved } = camera;
  const fresh = solved === null || solved.pictures < sofar.pictures;
  return (
    <>
      <section>
        <h2>{say.step(3, say.steps.shots)}</h2>
        <p class="hint-line">{say.shotsHint}</p>
        <div class="choices pair">
          <Pick icon="camera" label={say.take} test="take-picture" capture />
          <Pick icon="gallery" label={say.pick} test="pick-pictures" capture={false} />
        </div>
        <div role="status" class="looking" data-test="looking">
          {waiting.value > 0 && (
            <>
              <strong>{say.looking(waiting.value)}</strong>
              <progress aria-label={say.looking(waiting.value)} />
            </>
          )}
        </div>
        {refused.value !== "" && (
          <p class="field-fault" role="alert" data-test="picture-refused">
            {refused.value}
          </p>
        )}
        <Looked />
        <Next sofar={sofar} />
      </section>
      <section class="coverage">
        <Covered sofar={sofar} />
        <Tilts sofar={sofar} />
      </section>
      <section>
        <h2>{say.step(4, say.steps.solve)}</h2>
        <button class="go" disabled={!sofar.ready || !fresh || solving.value || waiting.value > 0} onClick={() => void guarded(solve)} data-test="solve">
          {solving.value ? say.solving : !fresh ? say.result : solved ? say.solveAgain : say.solve}
        </button>
        {!sofar.ready && <p class="hint-line" data-test="not-ready">{`${say.notYet}: ${sofar.missing.join(" ")}`}</p>}
      </section>
    </>
  );
}

const Pick = ({ icon, label, test, capture }: { icon: IconName; label: string; test: string; capture: boolean }): JSX.Element => (
  <label class={capture ? "choice primary" : "choice"}>
    <Icon name={icon} />
    <span>
      <strong>{label}</strong>
    </span>
    <input
      type="file"
      accept={capture ? "image/*" : READ}
      class="unseen"
      data-test={test}
      multiple={!capture}
      {...(capture ? { capture: "environment" as const } : {})}
      onChange={(event) => {
        const picked = [...(event.currentTarget.files ?? [])];
        event.currentTarget.value = "";
        for (const one of picked) void look(one);
      }}
    />
  </label>
);

// The picture with its corners, and whether it counts.
function Looked(): JSX.Element | null {
  const now = last.value;
  if (now === null) return null;
  const { seen } = now;
  const dot = Math.max(seen.width, seen.height) / 110;
  return (
    <figure class={`looked ${seen.found ? "yes" : "no"}`} data-test="looked">
      <div>
        <img src={now.url} alt={seen.found ? say.seenName(seen.corners.length) : ""} />
        {seen.found && (
          <svg viewBox={`0 0 ${seen.width} ${seen.height}`} aria-hidden="true" data-test="corners">
            {seen.corners.map(([x, y]) => (
              <circle key={`${x} ${y}`} cx={x} cy={y} r={dot} />
            ))}
          </svg>
        )}
      </div>
      <figcaption aria-live="polite" data-test="seen-says">
        <strong>
          <Icon name={seen.found ? "done" : "warn"} /> {seen.found ? say.found : say.notFound}
        </strong>
        <span>{seen.says}</span>
      </figcaption>
    </figure>
  );
}

// The number of pictures that count, and the one thing to do next.
const Next = ({ sofar }: { sofar: SoFar }): JSX.Element => (
  <div class="next-step" aria-live="polite">
    <strong data-test="usable">{say.usable(sofar.pictures)}</strong>
    <p data-test="advice">
      {sofar.missing[0] ?? (sofar.advice[0] ? `${say.enough} ${sofar.advice[0]}` : say.enough)}
    </p>
  </div>
);

function Covered({ sofar: { cells } }: { sofar: SoFar }): JSX.Element {
  const all = cells.flat();
  const have = all.filter((count) => count > 0).length;
  return (
    <div>
      <h3>{say.coverage}</h3>
      <div class="parts" role="img" aria-label={say.covered(have, all.length)} style={{ gridTemplateColumns: `repeat(${cells[0]?.length ?? 1}, 1fr)` }} data-test="parts">
        {cells.map((row, r) => row.map((count, c) => (
          <i key={`${r} ${c}`} class={count > 0 ? "has" : ""} title={say.cell(r + 1, c + 1, count)} />
        )))}
      </div>
      <p class="hint-line" data-test="covered">{say.covered(have, all.length)}</p>
    </div>
  );
}

const Tilts = ({ sofar }: { sofar: SoFar }): JSX.Element => (
  <div>
    <h3>{say.tilts}</h3>
    <ul class="leanings" data-test="tilts">
      {sofar.tilts.map(({ side, done }) => (
        <li key={side} class={`${side} ${done ? "has" : ""}`} aria-label={say.tilt(say.sides[side] ?? side, done)} data-test={`tilt-${side}`}>
          <i aria-hidden="true" />
          <span aria-hidden="true">{`${done ? "✓ " : ""}${say.sides[side] ?? side}`}</span>
        </li>
      ))}
    </ul>
  </div>
);

export function Solved({ solved }: { solved: SolvedOut }): JSX.Element {
  const rows: [string, string][] = [
    [say.facts.focal, say.focal(solved.focal_px, solved.focal_sigma_px)],
    [say.facts.rms, say.px(solved.rms_px)],
    [say.facts.middle, say.spread(solved.spread_middle_px)],
    [say.facts.worst, say.spread(solved.spread_worst_px)],
    [say.facts.pictures, String(solved.pictures)],
    [say.facts.size, say.size(solved.width, solved.height)],
  ];
  return (
    <section data-test="solved" aria-live="polite">
      <h2>{say.result}</h2>
      <dl class="modifiers">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <h3>{say.better}</h3>
      <ul class="reasons">
        {(solved.advice.length ? solved.advice : [say.nothingBetter]).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  );
}

// The learned terrain and armies: the server's host can see, prune, download and turn them off.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { API } from "../../client";
import { enter, isHost } from "../../device";
import type { CollectionOut, CountOut, LearntPhotoOut, SideOut } from "../../schema";
import { go, leave } from "../../screens";
import { guarded, say as tell, shownOut } from "../../shell";
import { learnt as say } from "../../words/learnt";
import { PrintLink } from "../prints/PrintLink";
import { SureButton } from "../seats/SureButton";
import { PageHead } from "../start/PageHead";
import { collection, forgetPhoto, openLearnt, turn } from "./learning";
import "../start/start.css";
import "../seats/seats.css";
import "../prints/prints.css";
import "./learnt.css";

const LOOK_AGAIN_MS = 3000;

const look = (): Promise<boolean> =>
  guarded(async () => {
    await openLearnt().catch((error: unknown) => {
      if (!shownOut(error)) throw error;
    });
  });

export function Learnt(): JSX.Element {
  useEffect(() => {
    void guarded(async () => {
      await enter();
      if (!isHost.value) return go({ name: "home" }, true);
      await look();
    });
  }, []);
  const all = collection.value;
  const waiting = all?.waiting ?? 0;
  useEffect(() => {
    if (waiting === 0) return;
    const timer = window.setInterval(() => void look(), LOOK_AGAIN_MS);
    return () => window.clearInterval(timer);
  }, [waiting > 0]);
  return (
    <main class="home plain-page learnt-page" data-test="learnt">
      <PageHead title={say.title} lead={say.lead} back={say.back} act={() => leave({ name: "home" })} />
      {all !== null && (
        <>
          <Choice all={all} />
          {all.photos.length === 0 ? (
            <p class="hint-line" data-test="learnt-nothing">
              {say.nothing}
            </p>
          ) : (
            <Kept all={all} />
          )}
        </>
      )}
    </main>
  );
}

function Choice({ all }: { all: CollectionOut }): JSX.Element {
  return (
    <section>
      <h2>{say.learning}</h2>
      <div class="chips" role="group" aria-label={say.learning}>
        {[true, false].map((on) => (
          <button key={say[on ? "on" : "off"]} class="chip" aria-pressed={all.on === on} data-test={on ? "learning-on" : "learning-off"} onClick={() => void guarded(() => turn(on))}>
            {on ? say.on : say.off}
          </button>
        ))}
      </div>
      <p class="hint-line" aria-live="polite" data-test="learning-hint">
        {all.on ? say.onHint : say.offHint}
      </p>
      <p class="hint-line" aria-live="polite" data-test="learning-now">
        {all.waiting > 0 ? say.waiting(all.waiting) : all.trouble !== "" ? say.trouble(all.trouble) : ""}
      </p>
    </section>
  );
}

const Kept = ({ all }: { all: CollectionOut }): JSX.Element => (
  <>
    <section data-test="learnt-all">
      <h2>{say.all}</h2>
      <p class="hint-line">{say.photos(all.photos.length, all.most_photos)}</p>
      <h3>{say.terrain}</h3>
      <Terrain terrain={all.terrain} />
      <h3>{say.bases}</h3>
      <Sides sides={all.sides} />
      <PrintLink path="/collection/file" label={say.copy} hint={say.copyHint} test="learnt-copy" />
    </section>
    <section>
      <h2>{say.from}</h2>
      <ul class="seat-list" data-test="learnt-photos">
        {all.photos.map((photo) => (
          <Photo key={photo.id} photo={photo} />
        ))}
      </ul>
    </section>
  </>
);

const Terrain = ({ terrain }: { terrain: CountOut[] }): JSX.Element => (
  <ul class="learnt-counts">
    {terrain.map(({ what, count }) => (
      <li key={what}>{say.pieces(what, count)}</li>
    ))}
    {terrain.length === 0 && <li>{say.none}</li>}
  </ul>
);

const Sides = ({ sides }: { sides: SideOut[] }): JSX.Element => (
  <ul class="learnt-counts">
    {sides.map(({ side, count, kinds }) => (
      <li key={side}>
        {say.side(side, count)}
        <small>{say.kinds(kinds)}</small>
      </li>
    ))}
    {sides.length === 0 && <li>{say.none}</li>}
  </ul>
);

function Photo({ photo }: { photo: LearntPhotoOut }): JSX.Element {
  const line = [...photo.terrain.map(({ what, count }) => say.pieces(what, count)), ...photo.sides.map(({ side, count }) => say.side(side, count))].join(" · ");
  return (
    <li class="seat-card" data-test={`learnt-${photo.id}`}>
      <strong>{`${say.day(photo.learnt)} · ${say.table(photo.width, photo.depth)}`}</strong>
      <p class="seat-line">{line}</p>
      {photo.stale && <p class="hint-line">{say.stale}</p>}
      {photo.pictures > 0 && <img src={`${API}/collection/photos/${photo.id}.png`} alt={say.pictures(say.day(photo.learnt))} loading="lazy" />}
      <div class="seat-deeds">
        <SureButton
          words={say.forget}
          sure={say.forgetSure}
          test="forget-learnt"
          act={() =>
            void guarded(async () => {
              await forgetPhoto(photo.id);
              tell({ kind: "info", title: say.forgotten, lines: [] });
            })
          }
        />
      </div>
    </li>
  );
}

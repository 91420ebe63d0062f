import type { JSX } from "preact";
import { cutting, drawing, tool, useTool } from "../ground";
import { go } from "../screens";
import {
  baseId, correct, correcting, home, layer, listing, loose, picking, redo, saving, table, undo, unitId,
} from "../store";
import { tableName, text } from "../text";
import { words } from "../words";
import { BaseSheet } from "./BaseSheet";
import { Icon } from "./icons";
import { board, MapView } from "./MapView";
import { DragView } from "./Notice";
import { PickPhoto, TakePhoto } from "./PhotoButtons";
import { PhotoView } from "./PhotoView";
import { Sheet } from "./Sheet";
import { DrawBar, DrawHint, TerrainSheet } from "./Terrain";
import { ThemeButton } from "./ThemeButton";
import { UnitList } from "./UnitList";
import { UnitSheet } from "./UnitSheet";

export function TablePage(): JSX.Element | null {
  const now = table.value;
  if (!now) return null;
  return (
    <main class={`table-page ${correcting.value ? "correcting" : ""} ${tool.value ? "tooling" : ""}`}>
      <TopBar />
      {now.photo === null ? <FirstPhoto /> : layer.value === "photo" ? <PhotoView picture={now.photo.annotated} /> : <MapView />}
      {now.photo !== null && layer.value === "photo" && <p class="hint low">{text.photoHint}</p>}
      <DragView />
      {now.photo !== null && layer.value === "map" && <Below />}
      {now.photo !== null && layer.value === "map" && (drawing.value || cutting.value ? <DrawBar /> : <Bar />)}
    </main>
  );
}

function TopBar(): JSX.Element {
  const now = table.value;
  return (
    <header class="top-bar">
      <button class="round" aria-label={text.back} onClick={home} data-test="home">
        <Icon name="back" />
      </button>
      <h1>
        {now && (
          <button
            class="title-button"
            aria-label={`${tableName(now.name)}: ${words.seats.entry}`}
            onClick={() => go({ name: "seats", id: now.id, of: "table" })}
            data-test="seats"
          >
            <span>{tableName(now.name)}</span>
            <Icon name="people" />
          </button>
        )}
      </h1>
      {now?.photo && (
        <div class="switch" role="group">
          {(["map", "photo"] as const).map((name) => (
            <button key={name} aria-pressed={layer.value === name} data-test={`layer-${name}`} onClick={() => (layer.value = name)}>
              {text[name]}
            </button>
          ))}
        </div>
      )}
      <ThemeButton />
    </header>
  );
}

const Advice = (): JSX.Element => (
  <ol class="advice">
    {text.photoAdvice.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ol>
);

const Photos = (): JSX.Element => (
  <>
    <TakePhoto look="choice primary" />
    <PickPhoto look="choice" />
  </>
);

const FirstPhoto = (): JSX.Element => (
  <div class="first-photo">
    <h2>{text.firstPhoto}</h2>
    <Advice />
    <Photos />
  </div>
);

const PhotoSheet = (): JSX.Element => (
  <Sheet label={text.newPhoto}>
    <header class="sheet-head">
      <div class="sheet-title">
        <h2>{text.nextPhoto}</h2>
      </div>
      <button class="round small" aria-label={text.close} data-test="close-sheet" onClick={() => (picking.value = false)}>
        <Icon name="close" />
      </button>
    </header>
    <div class="sheet-body choices">
      <Photos />
      <Advice />
    </div>
  </Sheet>
);

function Below(): JSX.Element | null {
  if (picking.value) return <PhotoSheet />;
  if (listing.value) return <UnitList />;
  if (drawing.value || cutting.value) return <DrawHint />;
  if (tool.value) return <TerrainSheet />;
  if (correcting.value) return baseId.value !== null ? <BaseSheet /> : <Hint words={text.correctHint} />;
  if (unitId.value !== null) return <UnitSheet />;
  const first = loose.value[0];
  const remarks = table.value?.warnings.length ?? 0;
  if (first) return <Hint words={text.unknownBases(loose.value.length)} tap={() => correct(true, first.id)} />;
  if (remarks) return <Hint words={text.warnings(remarks)} tap={() => (listing.value = true)} />;
  return <Hint words={text.hint} />;
}

const Hint = ({ words, tap }: { words: string; tap?: () => void }): JSX.Element =>
  tap ? (
    <button class="hint" onClick={tap} data-test="hint">
      {words}
    </button>
  ) : (
    <p class="hint">{words}</p>
  );

function Bar(): JSX.Element {
  const now = table.value;
  return (
    <nav class={`bar ${saving.value ? "saving" : ""}`}>
      {correcting.value ? (
        <button class="bar-button strong" onClick={() => correct(false)} data-test="done">
          <Icon name="done" />
          {text.done}
        </button>
      ) : (
        <button class="bar-button" onClick={() => correct(true)} data-test="correct">
          <Icon name="hand" />
          {text.correct}
        </button>
      )}
      <button class="bar-button" disabled={!now?.undo} onClick={() => void undo()} data-test="undo">
        <Icon name="undo" />
        {text.undo}
      </button>
      {correcting.value ? (
        <button class="bar-button" disabled={!now?.redo} onClick={() => void redo()} data-test="redo">
          <Icon name="redo" />
          {text.redo}
        </button>
      ) : (
        <button class="bar-button" onClick={() => board()?.fit()} data-test="fit">
          <Icon name="fit" />
          {text.fit}
        </button>
      )}
      <button
        class="bar-button"
        data-test="units"
        aria-expanded={listing.value}
        onClick={() => {
          picking.value = false;
          tool.value = null;
          listing.value = !listing.value;
        }}
      >
        <Icon name={correcting.value ? "plus" : "list"} />
        {correcting.value ? text.base : text.units}
      </button>
      {correcting.value && (
        <button
          class="bar-button"
          data-test="terrain"
          aria-expanded={tool.value !== null}
          onClick={() => useTool(tool.value === null)}
        >
          <Icon name="tree" />
          {text.terrain.name}
        </button>
      )}
      {!correcting.value && (
        <button
          class="bar-button strong"
          data-test="photo"
          aria-expanded={picking.value}
          onClick={() => {
            listing.value = false;
            picking.value = !picking.value;
          }}
        >
          <Icon name="camera" />
          {text.newPhoto}
        </button>
      )}
    </nav>
  );
}

// A button, and behind it the game in four pictures with a paragraph each: to preview, share or save.

import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import type { ChapterOut } from "../../schema";
import { copyWords } from "../../copying";
import { guarded } from "../../shell";
import { words as all } from "../../words";
import { report } from "../../words/report";
import { Icon } from "../icons";
import { choosePicture, closeStory, count, keepPictures, mayShare, onPhotos, openStory, pictureOf, ready, share, story, words } from "./sharing";

const say = all.replay;

export function Share({ id }: { id: string }): JSX.Element {
  const open = useSignal(false);
  return (
    <>
      <button class="share-open" onClick={() => (open.value = true)} data-test="share-story">
        <Icon name="share" />
        <span>
          <strong>{say.share}</strong>
          <small>{say.shareHint}</small>
        </span>
      </button>
      {open.value && <Story id={id} close={() => (open.value = false)} />}
    </>
  );
}

function Story({ id, close }: { id: string; close: () => void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const text = useRef<HTMLTextAreaElement>(null);
  const done = useSignal(""); // what the last tap did
  useEffect(() => {
    dialog.current?.showModal();
    void guarded(() => openStory(id)).then((opened) => opened || close());
    return closeStory;
  }, []);
  const now = story.value;
  return (
    <dialog class="share-story" aria-label={say.share} ref={dialog} onClose={close} data-test="story">
      <header class="replay-head">
        <button class="round" aria-label={say.close} onClick={() => dialog.current?.close()} data-test="close-story">
          <Icon name="close" />
        </button>
        <div>
          <h1>{say.share}</h1>
          <p>{now?.title ?? say.making}</p>
        </div>
      </header>
      <div class="share-body">
        {now === null && <p class="quiet">{say.making}</p>}
        {now?.own && <p class="report-own"><Icon name="warn" />{report.own}</p>}
        {now?.chapters.map((chapter, at) => <Chapter key={chapter.title} chapter={chapter} at={at} />)}
        {now !== null && <textarea class="unseen" readOnly tabIndex={-1} aria-hidden="true" ref={text} value={words(now)} />}
      </div>
      <footer class="share-bar">
        <p role="status" data-test="done">{done.value}</p>
        {mayShare.value ? (
          <button class="go" onClick={() => void share()} data-test="share-now">
            <Icon name="share" />
            {say.shareNow}
          </button>
        ) : (
          <>
            <button
              class="soft-go"
              disabled={now === null}
              onClick={() => {
                const from = text.current;
                if (from !== null) void copyWords(from).then(() => (done.value = say.copied));
              }}
              data-test="copy-words"
            >
              {say.copy}
            </button>
            <button
              class="go"
              disabled={!ready.value}
              onClick={() => {
                keepPictures();
                done.value = say.saved(count.value);
              }}
              data-test="keep-pictures"
            >
              <Icon name="save" />
              {ready.value ? say.keep : say.making}
            </button>
          </>
        )}
      </footer>
    </dialog>
  );
}

function Chapter({ chapter, at }: { chapter: ChapterOut; at: number }): JSX.Element {
  const photo = onPhotos.value.has(at);
  return (
    <section class="share-chapter" data-test={`chapter-${at + 1}`}>
      <h2>{chapter.title}</h2>
      <div class="share-picture">
        <img src={pictureOf(chapter, at)} alt={photo ? say.photo : chapter.alt} />
      </div>
      {chapter.photo !== null && (
        <div class="switch" role="group" aria-label={say.pictureOf(at + 1)}>
          {([false, true] as const).map((on) => (
            <button key={String(on)} aria-pressed={photo === on} onClick={() => void guarded(() => choosePicture(at, on))} data-test={on ? `photo-${at + 1}` : `map-${at + 1}`}>
              {on ? say.ownPhoto : say.map}
            </button>
          ))}
        </div>
      )}
      <p>{chapter.says}</p>
    </section>
  );
}

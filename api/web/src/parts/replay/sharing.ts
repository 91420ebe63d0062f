// The game in four pictures to share: by the phone's own share sheet where it takes files, else saved and copied.

import { computed, signal } from "@preact/signals";
import { API, answered, ask, save } from "../../client";
import type { ChapterOut, PictureStoryOut } from "../../schema";
import { inUnit, unit } from "../../units";

export const story = signal<PictureStoryOut | null>(null);
export const onPhotos = signal<ReadonlySet<number>>(new Set()); // the chapters that show the table's photo, not the map
const files = signal<File[] | null>(null); // the chosen pictures, once all are loaded

let game = "";

export async function openStory(id: string): Promise<void> {
  game = id;
  story.value = files.value = null;
  onPhotos.value = new Set();
  const found = await ask<PictureStoryOut>("GET", `/games/${encodeURIComponent(id)}/report/pictures`);
  if (game !== id) return;
  story.value = found;
  await fetchFiles();
}

export function closeStory(): void {
  game = "";
  story.value = files.value = null;
}

export const pictureOf = (chapter: ChapterOut, at: number): string => (onPhotos.value.has(at) && chapter.photo !== null ? chapter.photo : `${chapter.picture}&unit=${unit.value}`);

export async function choosePicture(at: number, photo: boolean): Promise<void> {
  const chosen = new Set(onPhotos.value);
  if (photo) chosen.add(at);
  else chosen.delete(at);
  onPhotos.value = chosen;
  await fetchFiles();
}

// All pictures are fetched before the player taps: a share sheet opens only right after a tap.
async function fetchFiles(): Promise<void> {
  const now = story.value;
  const chosen = onPhotos.value;
  if (now === null) return;
  files.value = null;
  const made = await Promise.all(
    now.chapters.map(async (chapter, at) => {
      const content = await (await answered("GET", pictureOf(chapter, at).slice(API.length))).blob();
      return new File([content], `${game}-${at + 1}.${content.type === "image/png" ? "png" : "jpg"}`, { type: content.type });
    }),
  );
  if (story.value === now && onPhotos.value === chosen) files.value = made;
}

export const ready = computed(() => files.value !== null);
export const count = computed(() => files.value?.length ?? 0);

export const words = (now: PictureStoryOut): string =>
  [now.title, ...now.chapters.map(({ title, says }) => `${title}\n${inUnit(says)}`)].join("\n\n");

const shareData = (): ShareData => {
  const now = story.value;
  return now === null ? {} : { title: now.title, text: words(now), files: files.value ?? [] };
};

// Only pages loaded over https have a share sheet and a clipboard.
export const mayShare = computed(() => files.value !== null && typeof navigator.canShare === "function" && navigator.canShare(shareData()));

export async function share(): Promise<void> {
  try {
    await navigator.share(shareData());
  } catch (error) {
    if (!(error instanceof DOMException)) throw error; // closed without sharing
  }
}

export function keepPictures(): void {
  for (const file of files.value ?? []) save(file, file.name);
}

// The cameras of the server and the one that is being calibrated here, picture by picture.

import { batch, signal } from "@preact/signals";
import { ask, newId, Refusal } from "../../client";
import type { BoardSeenOut, CameraOut, ChosenOut } from "../../schema";
import { capital } from "../../words/forms";

export interface Looked {
  url: string; // the picture as this device has it
  seen: BoardSeenOut;
}

export const cameras = signal<CameraOut[] | null>(null);
export const current = signal<CameraOut | null>(null);
export const adding = signal(false); // the form for another camera is open
export const last = signal<Looked | null>(null);
export const waiting = signal(0); // pictures that are not analysed yet
export const refused = signal(""); // why the last picture could not be analysed
export const solving = signal(false);

const at = (id: string): string => `/cameras/${id}`;
const KEY = "tabletop-camera";

export async function openCameras(): Promise<void> {
  const all = await ask<CameraOut[]>("GET", "/cameras");
  const kept = window.localStorage.getItem(KEY);
  batch(() => {
    cameras.value = all;
    current.value = all.find((one) => one.mine && one.id === (current.value?.id ?? kept)) ?? null;
  });
}

export function show(camera: CameraOut | null): void {
  forget();
  batch(() => {
    current.value = camera;
    adding.value = false;
    refused.value = "";
  });
  if (camera !== null) window.localStorage.setItem(KEY, camera.id);
  else window.localStorage.removeItem(KEY);
  window.scrollTo(0, 0);
}

function put(camera: CameraOut): void {
  const known = cameras.value ?? [];
  batch(() => {
    if (current.value?.id === camera.id) current.value = camera;
    cameras.value = known.some(({ id }) => id === camera.id) ? known.map((one) => (one.id === camera.id ? camera : one)) : [camera, ...known];
  });
}

let wish = newId();

export async function begin(name: string, board: string): Promise<void> {
  const camera = await ask<CameraOut>("POST", "/cameras", { id: wish, name, board });
  wish = newId();
  put(camera);
  show(camera);
}

export async function remove(camera: CameraOut): Promise<void> {
  await ask("DELETE", at(camera.id));
  cameras.value = (cameras.value ?? []).filter(({ id }) => id !== camera.id);
  if (current.value?.id === camera.id) show(null);
}

export function forget(): void {
  if (last.value !== null) URL.revokeObjectURL(last.value.url);
  last.value = null;
}

const BUSY = 503;
const MOST_TRIES = 20;

async function send(camera: string, picture: File): Promise<BoardSeenOut> {
  const body = new FormData();
  body.append("photo", picture, picture.name);
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask<BoardSeenOut>("POST", `${at(camera)}/photos`, body);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== BUSY || tries >= MOST_TRIES) throw error;
      await new Promise((done) => window.setTimeout(done, 1000));
    }
  }
}

let queue: Promise<void> = Promise.resolve();

// One after another, in the order in which they were taken.
export function look(picture: File): Promise<void> {
  const camera = current.value;
  if (camera === null) return queue;
  waiting.value += 1;
  refused.value = "";
  queue = queue.then(async () => {
    try {
      const seen = await send(camera.id, picture);
      put(seen.camera);
      if (current.value?.id !== camera.id) return;
      forget();
      last.value = { url: URL.createObjectURL(picture), seen };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.value = capital(error.message);
    } finally {
      waiting.value -= 1;
    }
  });
  return queue;
}

export async function solve(): Promise<void> {
  const camera = current.value;
  if (camera === null || solving.value) return;
  solving.value = true;
  try {
    put(await ask<CameraOut>("POST", `${at(camera.id)}/solve`));
  } finally {
    solving.value = false;
  }
}

export const chosenFor = (game: string): Promise<ChosenOut> => ask<ChosenOut>("GET", `/games/${encodeURIComponent(game)}/camera`);
export const chooseFor = (game: string, camera: string | null): Promise<ChosenOut> =>
  ask<ChosenOut>("PUT", `/games/${encodeURIComponent(game)}/camera`, { camera });

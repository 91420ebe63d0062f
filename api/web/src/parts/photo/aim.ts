// Frames of the viewfinder on their way to the server, one after another, and its answer to the last one.

import { signal } from "@preact/signals";
import { ask, Refusal } from "../../client";
import type { AimOut } from "../../schema";

const LONG_PX = 800;
const QUALITY = 0.7;
const EVERY_MS = 1200;
const STALE_MS = 3600; // after which a frame's answer expires

export const aimed = signal<AimOut | null>(null); // null: it is unknown where the camera points

const pause = (ms: number): Promise<void> => new Promise((done) => window.setTimeout(done, ms));

const frameOf = (video: HTMLVideoElement, canvas: HTMLCanvasElement): Promise<Blob | null> => {
  const fit = LONG_PX / Math.max(video.videoWidth, video.videoHeight);
  [canvas.width, canvas.height] = [Math.round(fit * video.videoWidth), Math.round(fit * video.videoHeight)];
  canvas.getContext("2d")?.drawImage(video, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
};

// Send frames of the video for a game until the returned function is called. A table without frame markers is asked
// only once.
export function follow(video: HTMLVideoElement, game: string): () => void {
  let over = false;
  const canvas = document.createElement("canvas");
  async function look(): Promise<boolean> {
    if (document.hidden || video.videoWidth === 0) return true;
    const frame = await frameOf(video, canvas);
    if (frame === null || over) return true;
    const form = new FormData();
    form.append("frame", frame, "frame.jpg");
    const found = await ask<AimOut>("POST", `/games/${encodeURIComponent(game)}/aim`, form);
    if (over || found.expected.length === 0) return false;
    aimed.value = found;
    return true;
  }
  async function go(): Promise<void> {
    let heard = Date.now();
    while (!over) {
      const begun = Date.now();
      try {
        if (!(await look())) return;
        heard = Date.now();
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (error.status >= 400 && error.status < 500 && error.status !== 429) return; // it will be refused again
      }
      if (Date.now() - heard > STALE_MS) aimed.value = null;
      await pause(Math.max(0, begun + EVERY_MS - Date.now()));
    }
  }
  aimed.value = null;
  void go();
  return () => {
    over = true;
    aimed.value = null;
  };
}

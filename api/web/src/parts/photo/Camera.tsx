import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { game } from "../../game";
import { words } from "../../words";
import { Icon } from "../icons";
import { aimed, follow } from "./aim";

const say = words.photo;

const LOOK_MS = 400;
const SMALL: [number, number] = [160, 120];
const LIGHT = { least: 45, most: 225 };
const SHARP = 14; // the mean step between neighbouring pixels of a picture that is in focus and still
const QUALITY = 0.95;

// Reasons against taking the photo now, from a small copy of the camera's picture: too dark, too bright, blurred.
export function hintOf(pixels: Uint8ClampedArray, width: number): string {
  const grey = (i: number): number => 0.3 * (pixels[i] as number) + 0.59 * (pixels[i + 1] as number) + 0.11 * (pixels[i + 2] as number);
  let [light, steps, count] = [0, 0, 0];
  const strongest: number[] = [];
  for (let i = 0; i + 4 * width + 4 < pixels.length; i += 4) {
    const here = grey(i);
    light += here;
    steps = Math.max(Math.abs(here - grey(i + 4)), Math.abs(here - grey(i + 4 * width)));
    strongest.push(steps);
    count += 1;
  }
  const mean = light / Math.max(1, count);
  if (mean < LIGHT.least) return say.dark;
  if (mean > LIGHT.most) return say.bright;
  strongest.sort((a, b) => b - a);
  const top = strongest.slice(0, Math.max(1, Math.floor(count / 50)));
  return top.reduce((sum, one) => sum + one, 0) / top.length < SHARP ? say.blurred : say.good;
}

// The camera in the page, where the page came by HTTPS: a viewfinder with hints, and a photo of the camera's full size.
export function Camera({ done }: { done: (photo: File | null) => void }): JSX.Element {
  const video = useRef<HTMLVideoElement>(null);
  const [hint, setHint] = useState<string>(say.warming);
  const [ready, setReady] = useState(false);
  useEffect(() => {
    let stream: MediaStream | null = null;
    let gone = false;
    const wanted = { facingMode: { ideal: "environment" }, width: { ideal: 4096 }, height: { ideal: 3072 } };
    navigator.mediaDevices.getUserMedia({ video: wanted, audio: false }).then(
      async (given) => {
        stream = given;
        if (gone || video.current === null) return given.getTracks().forEach((track) => track.stop());
        video.current.srcObject = given;
        await video.current.play().catch(() => undefined);
        setReady(true);
      },
      () => setHint(say.cameraRefused),
    );
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = SMALL;
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    const timer = window.setInterval(() => {
      if (pen === null || video.current === null || video.current.videoWidth === 0) return;
      pen.drawImage(video.current, 0, 0, ...SMALL);
      setHint(hintOf(pen.getImageData(0, 0, ...SMALL).data, SMALL[0]));
    }, LOOK_MS);
    const unfollow = video.current && game.value ? follow(video.current, game.value.id) : undefined;
    return () => {
      gone = true;
      unfollow?.();
      window.clearInterval(timer);
      stream?.getTracks().forEach((track) => track.stop());
    };
  }, []);
  const shoot = (): void => {
    const shown = video.current;
    if (shown === null || shown.videoWidth === 0) return;
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [shown.videoWidth, shown.videoHeight];
    canvas.getContext("2d")?.drawImage(shown, 0, 0);
    canvas.toBlob((blob) => done(blob && new File([blob], "table.jpg", { type: "image/jpeg" })), "image/jpeg", QUALITY);
  };
  const aim = aimed.value;
  const unseen = aim?.expected.filter((id) => !aim.seen.includes(id)) ?? [];
  return (
    <div class="camera" role="dialog" aria-label={say.live} data-test="camera" onKeyDown={(event) => event.key === "Escape" && done(null)}>
      <div class="camera-view">
        <video ref={video} playsInline muted aria-label={say.cameraName} />
        <Markers video={video.current} />
      </div>
      <div class="camera-hint">
        <p role="status" data-test="camera-hint">
          {hint === say.good && aim !== null ? aim.advice : hint}
        </p>
        {aim !== null && (
          <small data-test="aim">
            {[
              say.markersSeen(aim.seen.length, aim.expected.length),
              unseen.length > 0 && aim.seen.length > 0 && say.markersUnseen(unseen),
              aim.elevation_deg !== null && say.height(aim.elevation_deg),
            ]
              .filter(Boolean)
              .join(" · ")}
          </small>
        )}
      </div>
      <div class="camera-bar">
        <button class="round" aria-label={say.close} data-test="close-camera" onClick={() => done(null)}>
          <Icon name="close" />
        </button>
        <button class={aim?.good ? "shutter good" : "shutter"} aria-label={say.shoot} data-test="shoot" disabled={!ready} onClick={shoot} />
      </div>
    </div>
  );
}

// The outlines of the frame markers that were found, over the viewfinder, which shows the whole picture in its box.
function Markers({ video }: { video: HTMLVideoElement | null }): JSX.Element | null {
  const aim = aimed.value;
  if (aim === null || !video?.videoWidth) return null;
  const [width, height] = [video.videoWidth, video.videoHeight];
  return (
    <svg class={aim.good ? "aim good" : "aim"} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {aim.outlines.map((outline, i) => (
        <polygon key={aim.seen[i]} points={outline.map(([x, y]) => `${x * width},${y * height}`).join(" ")} data-test="aim-marker" />
      ))}
    </svg>
  );
}

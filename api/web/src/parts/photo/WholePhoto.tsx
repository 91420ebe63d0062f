import L from "leaflet";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { anchor } from "../../map";
import { words } from "../../words";
import { Icon } from "../icons";
import { onPicture } from "./Crop";
import { ground, look, marks, place, whole } from "./turn";

const say = words.photo;

// The whole photo to pan and to pinch, as taken or with its bases drawn in; the place in question is ringed.
export function WholePhoto(): JSX.Element | null {
  const box = useRef<HTMLDivElement>(null);
  const closing = useRef<HTMLButtonElement>(null);
  const [plain, setPlain] = useState(false);
  const photo = look.value;
  const picture = plain ? photo?.upright ?? photo?.annotated : photo?.annotated;
  useEffect(() => {
    if (box.current === null || !picture || ground.value === null) return;
    const map = L.map(box.current, {
      crs: L.CRS.Simple, attributionControl: false, zoomControl: false, zoomSnap: 0, minZoom: -5, maxZoom: 3, tapHold: false,
    });
    const bounds: L.LatLngBoundsLiteral = [[0, 0], [picture.height, picture.width]];
    L.imageOverlay(picture.url, bounds, { alt: say.wholeName }).addTo(map);
    map.fitBounds(bounds);
    const spots = marks.value.length > 0 || place.value === null ? marks.value : [{ letter: "", at: place.value }];
    for (const { letter, at } of spots) {
      const shown = onPicture(picture, at);
      const html = letter === "" ? '<span class="photo-spot"></span>' : `<span class="photo-letter">${letter}</span>`;
      if (shown) L.marker([picture.height - shown[1], shown[0]], { icon: anchor(html), interactive: false, keyboard: false }).addTo(map);
    }
    closing.current?.focus();
    return () => {
      map.remove();
    };
  }, [picture?.url]);
  if (!picture) return null;
  const close = (): void => {
    whole.value = false;
  };
  return (
    <div class="whole-photo" role="dialog" aria-label={say.wholeName} data-test="whole-photo" onKeyDown={(event) => event.key === "Escape" && close()}>
      <div class="board" ref={box} role="application" aria-label={say.wholeName} />
      <header>
        {photo?.upright && (
          <div class="switch" role="group">
            {([false, true] as const).map((on) => (
              <button key={String(on)} aria-pressed={plain === on} data-test={on ? "as-taken" : "drawn-in"} onClick={() => setPlain(on)}>
                {on ? say.upright : say.drawnIn}
              </button>
            ))}
          </div>
        )}
        <button class="round" ref={closing} aria-label={say.close} data-test="close-photo" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
    </div>
  );
}

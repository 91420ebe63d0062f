import L from "leaflet";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { PictureOut } from "../schema";
import { text } from "../text";

// The annotated photo, to pan and to pinch.
export function PhotoView({ picture }: { picture: PictureOut }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const map = L.map(place.current as HTMLDivElement, {
      crs: L.CRS.Simple,
      attributionControl: false,
      zoomControl: false,
      zoomSnap: 0,
      minZoom: -4,
      maxZoom: 3,
      tapHold: false,
    });
    const bounds: L.LatLngBoundsLiteral = [[0, 0], [picture.height, picture.width]];
    L.imageOverlay(picture.url, bounds, { alt: text.photoName }).addTo(map);
    map.fitBounds(bounds, { paddingTopLeft: [0, 60], paddingBottomRight: [0, 90] });
    return () => {
      map.remove();
    };
  }, [picture.url]);
  return <div class="board" ref={place} role="application" aria-label={text.photoName} />;
}

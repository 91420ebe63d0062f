// The one fact of a photo's EXIF that the page needs: its focal length on a frame of 36 x 24 mm. Nothing else is read.

const HEAD_BYTES = 131_072;
const [EXIF_IFD, FOCAL_35MM] = [0x8769, 0xa405];
const [LEAST_MM, MOST_MM] = [6, 1200];

export async function focalOf(photo: Blob): Promise<number | null> {
  const view = new DataView(await photo.slice(0, HEAD_BYTES).arrayBuffer());
  try {
    const focal = focalIn(view);
    return focal !== null && focal >= LEAST_MM && focal <= MOST_MM ? focal : null;
  } catch (error) {
    if (error instanceof RangeError) return null; // damaged, or longer than the part read
    throw error;
  }
}

function focalIn(view: DataView): number | null {
  if (view.getUint16(0) !== 0xffd8) return null;
  let at = 2;
  while (view.getUint16(at) >= 0xffe0 && view.getUint16(at) <= 0xffef) {
    if (view.getUint16(at) === 0xffe1 && view.getUint32(at + 4) === 0x45786966) return inTiff(view, at + 10); // "Exif"
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}

function inTiff(view: DataView, start: number): number | null {
  const little = view.getUint16(start) === 0x4949;
  const short = (at: number): number => view.getUint16(start + at, little);
  const long = (at: number): number => view.getUint32(start + at, little);
  const entry = (ifd: number, tag: number): number | null => {
    for (let n = 0; n < short(ifd); n += 1) if (short(ifd + 2 + 12 * n) === tag) return ifd + 2 + 12 * n + 8;
    return null;
  };
  const pointer = entry(long(4), EXIF_IFD);
  const focal = pointer === null ? null : entry(long(pointer), FOCAL_35MM);
  return focal === null ? null : short(focal);
}

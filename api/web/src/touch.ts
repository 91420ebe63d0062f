// While a finger drags something of ours the browser must see no fling in it, or it swallows the next tap.
export function holdStill(): () => void {
  const still = (touch: TouchEvent): void => touch.preventDefault();
  window.addEventListener("touchmove", still, { passive: false });
  return () => window.removeEventListener("touchmove", still);
}

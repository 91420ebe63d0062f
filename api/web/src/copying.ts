// Words put on the device's clipboard. Only pages that came over https have one; others copy what is chosen.

export async function copyWords(from: HTMLTextAreaElement | HTMLInputElement): Promise<void> {
  if (window.isSecureContext) return navigator.clipboard.writeText(from.value);
  from.select();
  document.execCommand("copy");
  window.getSelection()?.removeAllRanges();
}

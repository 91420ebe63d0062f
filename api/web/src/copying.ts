// Copying text to the device's clipboard. Only pages loaded over https have one; others copy a selection.

export async function copyWords(from: HTMLTextAreaElement | HTMLInputElement): Promise<void> {
  if (window.isSecureContext) return navigator.clipboard.writeText(from.value);
  from.select();
  document.execCommand("copy");
  window.getSelection()?.removeAllRanges();
}

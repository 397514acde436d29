/**
 * Puts a text where other programs can paste it from. Browsers give their clipboard to pages of https and of this very
 * machine only; on the plain http of an office's network the older way has to do, which copies what is selected.
 * @returns whether it is there now
 */
export async function copyTexto(texto: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(texto);
    return true;
  } catch {
    return copySelected(texto);
  }
}

function copySelected(texto: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = texto;
  field.readOnly = true;
  field.setAttribute('aria-hidden', 'true');
  field.className = 'fora-da-vista';
  // Inside an open dialog, which would take the focus back from anything outside of it.
  (focused?.parentElement ?? document.body).append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}

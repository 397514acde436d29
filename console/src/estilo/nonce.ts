/** The answer's own nonce, which the server writes into the page: style elements made by script must carry it. */
export const nonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

/** The scroll lock behind dialogs makes a style element too and looks for its nonce under this global name. */
export function giveNonceToEstilos(): void {
  (globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = nonce();
}

/** Lives of what the issuer makes. @fonte specification 2.5, 5.3, 8 */
export const ACCESS_SECONDS = 300;
/** A whole session's life; refreshing does not prolong it (OWASP ASVS 5.0, 10.4.8). */
export const REFRESH_SECONDS = 1_800;
/** How far clocks of other machines may be off. */
export const SKEW_SECONDS = 30;
/** When the last access token of a session, made at its very end, is over for everybody. */
export const SESSION_MS = (REFRESH_SECONDS + ACCESS_SECONDS + SKEW_SECONDS) * 1_000;

/** The mark of the product, the same as the console's (`console/src/marca/malote.svg`). */
export const MARCA = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" role="img" aria-label="Malote">
  <rect x="3" y="9" width="42" height="32" rx="8" fill="#14646a"/>
  <path d="M3 17a8 8 0 0 1 8-8h26a8 8 0 0 1 8 8v1.5L27.6 28.6a7 7 0 0 1-7.2 0L3 18.500Z" fill="#2f8a90"/>
  <path d="M4 20 20.400 29.200a7 7 0 0 0 7.200 0L44 20" fill="none" stroke="#e8f5f5" stroke-width="2.600" stroke-linecap="round"/>
  <rect x="19.500" y="24" width="9" height="10.500" rx="2.600" fill="#f2b84b"/>
  <path d="M21.500 24v-1.200a2.500 2.500 0 0 1 5 0V24" fill="none" stroke="#f2b84b" stroke-width="2"/>
  <circle cx="24" cy="29" r="1.500" fill="#14646a"/>
</svg>
`;

import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where `npm run console:dev` finds the API; the console and its API share one origin in service. */
const API = process.env.MALOTE_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  build: {
    target: 'es2022',
    // The policy allows no data: fonts or scripts; small images as data: are fine.
    assetsInlineLimit: 2_048,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    sourcemap: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        // What several screens use comes in one piece: two dozen small files cost more round trips than bytes.
        codeSplitting: {
          groups: [{ name: 'comum', test: /node_modules|src[\\/](?:partes|api|formatos)/, minShareCount: 4 }],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      ['/console/api', '/upload', '/docs', '/openapi.json'].map((path) => [
        path,
        { target: API, changeOrigin: false },
      ]),
    ),
  },
});

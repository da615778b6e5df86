import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const API = 'http://127.0.0.1:3000'

/** The trading app. In development the browser talks to Vite, which passes calls and sockets on to the server. */
export default defineConfig({
  root: 'src/web',
  plugins: [react(), tailwindcss()],
  server: {
    proxy: {
      '/api': API,
      '/ws': { target: API, ws: true },
    },
  },
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: false,
    // Fonts and marks stay files: the content security policy allows no data: fonts.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // React changes rarely, so returning visitors keep it across releases.
          groups: [{ name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ }],
        },
      },
    },
  },
})

import { defineConfig } from 'drizzle-kit'

/** For `drizzle-kit generate` alone: migrations run at the server's start, see docs/store.md. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/store/schema',
  out: './src/store/migrations',
})

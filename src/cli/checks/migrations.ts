import { cp, mkdtemp, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { run } from './run.ts'

const TIMEOUT_MS = 60_000

/**
 * Says what is wrong with the committed migrations, or nothing: they must not collide, and the
 * schema must have nothing that they lack. For that one more is generated into a copy.
 */
export async function migrationsFault(root: string): Promise<string | undefined> {
  const { default: config } = (await import(join(root, 'drizzle.config.ts'))) as {
    default: { schema: string; out: string; dialect: string }
  }
  const kit = [process.execPath, join(root, 'node_modules/.bin/drizzle-kit')]
  const env = { ...process.env, DATABASE_URL: undefined }
  // Beside the migrations, as drizzle-kit takes relative folders only.
  const copy = await mkdtemp(join(root, 'node_modules/.footlight-migrations-'))
  try {
    await cp(join(root, config.out), copy, { recursive: true })
    const out = `./${relative(root, copy)}`
    const checked = await run({
      command: [...kit, 'check', `--dialect=${config.dialect}`, `--out=${out}`],
      cwd: root,
      env,
      timeout: TIMEOUT_MS,
    })
    if (!checked.ok) {
      console.log(checked.output.trimEnd())
      return 'the migrations collide'
    }
    const generated = await run({
      command: [...kit, 'generate', `--dialect=${config.dialect}`, `--schema=${config.schema}`, `--out=${out}`],
      cwd: root,
      env,
      timeout: TIMEOUT_MS,
    })
    if (!generated.ok) {
      console.log(generated.output.trimEnd())
      return 'drizzle-kit generate failed'
    }
    // Not by its exit code nor by a new file: where it would ask whether a column was renamed and
    // there is no terminal, it ends with 0 and writes nothing.
    if (generated.output.includes('No schema changes')) return undefined
    console.log(generated.output.trimEnd())
    return 'the schema has what no migration has: run bun x drizzle-kit generate and commit what it writes'
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

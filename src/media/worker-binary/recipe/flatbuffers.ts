import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { $ } from 'bun'

/** Writes the worker's message headers to `out`. Debian's flatc 2.0 writes headers that it accepts. */
export async function generateFlatbuffers(worker: string, out: string): Promise<void> {
  await mkdir(out, { recursive: true })
  const schemas = (await readdir(join(worker, 'fbs'))).filter((name) => name.endsWith('.fbs'))
  for (const schema of schemas) {
    const path = join(worker, 'fbs', schema)
    await $`flatc --cpp --cpp-field-case-style lower --reflect-names --scoped-enums --filename-suffix ${''} -o ${out} ${path}`.quiet()
  }
}

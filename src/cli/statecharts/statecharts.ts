import { mkdir, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pictureFolder, statechartFiles } from './files.ts'

const root = resolve(import.meta.dir, '../../..')

/** `footlight statecharts`: writes the page about the statecharts and their pictures, and deletes old pictures. */
export async function statecharts(): Promise<number> {
  const files = await statechartFiles()
  const folder = join(root, pictureFolder)
  await mkdir(folder, { recursive: true })
  for (const name of await readdir(folder)) {
    if (!files.has(`${pictureFolder}/${name}`)) await rm(join(folder, name))
  }
  for (const [path, text] of files) {
    await Bun.write(join(root, path), text)
    console.log(path)
  }
  return 0
}

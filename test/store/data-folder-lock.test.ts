import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DataFolderLock } from '../../src/store/data-folder-lock.ts'
import { StoreStartError } from '../../src/store/store-start-error.ts'
import { spawnScript } from './spawn-script.ts'

let root: string
let folders = 0
const newFolder = () => join(root, `data-${folders++}`)

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'footlight-lock-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

function sentenceOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof StoreStartError) return error.message
    throw error
  }
  throw new Error('it was not refused')
}

test('another process is refused with a sentence that names the holder; a killed holder is taken over at once', async () => {
  const folder = newFolder()
  await using holder = spawnScript('data-folder-holder.ts', [folder])
  expect(await holder.line()).toBe('locked')
  expect(sentenceOf(() => DataFolderLock.acquire(folder))).toBe(
    `The data folder ${folder} is in use by another Footlight (process ${holder.pid}). Stop it, or set FOOTLIGHT_DATA to another folder.`,
  )
  await holder.kill()
  DataFolderLock.acquire(folder).release()
})

test('a process that is stopped but not gone still holds', async () => {
  const folder = newFolder()
  await using holder = spawnScript('data-folder-holder.ts', [folder])
  expect(await holder.line()).toBe('locked')
  process.kill(holder.pid, 'SIGSTOP')
  expect(sentenceOf(() => DataFolderLock.acquire(folder))).toContain(`(process ${holder.pid})`)
  process.kill(holder.pid, 'SIGCONT')
})

test('of eight that start at once, after one was killed, one gets the folder', async () => {
  const folder = newFolder()
  const killed = spawnScript('data-folder-holder.ts', [folder])
  expect(await killed.line()).toBe('locked')
  await killed.kill()
  const starting = Array.from({ length: 8 }, () => spawnScript('data-folder-holder.ts', [folder]))
  const said = await Promise.all(starting.map((one) => one.line()))
  expect(said.toSorted()).toEqual(['locked', ...Array(7).fill('refused')])
  await Promise.all(starting.map((one) => one.kill()))
})

test('a second store in the same process is refused, and the first one keeps the folder', async () => {
  const folder = newFolder()
  const lock = DataFolderLock.acquire(folder)
  expect(sentenceOf(() => DataFolderLock.acquire(folder))).toContain(`(process ${process.pid})`)
  Bun.gc(true)
  await using other = spawnScript('data-folder-holder.ts', [folder])
  expect(await other.line()).toBe('refused')
  lock.release()
  lock.release()
  DataFolderLock.acquire(folder).release()
})

test('a folder that cannot be made or written is refused with its name', () => {
  const file = join(root, 'a-file')
  writeFileSync(file, '')
  for (const folder of [file, join(file, 'below'), '/proc/footlight-data']) {
    const sentence = sentenceOf(() => DataFolderLock.acquire(folder))
    expect(sentence).toStartWith(`The data folder ${folder} cannot be written (`)
    expect(sentence).toEndWith('Correct its permissions, or set FOOTLIGHT_DATA to another folder.')
  }
})

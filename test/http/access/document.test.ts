import { expect, test } from 'bun:test'
import { accessDocument } from './document.ts'

test('docs/access.md is the table that is tested (bun test/http/access/write-document.ts)', async () => {
  const written = await Bun.file(new URL('../../../docs/access.md', import.meta.url)).text()
  expect(written).toBe(accessDocument())
})

import { accessDocument } from './document.ts'

/** Prints the access matrix into the documentation. */
await Bun.write(new URL('../../../docs/access.md', import.meta.url), accessDocument())

import { DataFolderLock } from '../../src/store/data-folder-lock.ts'
import { StoreStartError } from '../../src/store/store-start-error.ts'

// Run as a process of its own: locks the folder, says so, and holds it until it is killed.
try {
  const lock = DataFolderLock.acquire(process.argv[2] ?? '')
  console.log('locked')
  await new Promise((resolve) => setTimeout(resolve, 60_000))
  lock.release()
} catch (error) {
  console.log(error instanceof StoreStartError ? 'refused' : error)
}

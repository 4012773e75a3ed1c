import type { Page } from '@playwright/test'

/** All that the browser keeps in IndexedDB, as JSON. */
export const keptIn = (page: Page) =>
  page.evaluate(async () => {
    const kept: unknown[] = []
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name)
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
      for (const store of database.objectStoreNames)
        kept.push(
          await new Promise((resolve, reject) => {
            const request = database.transaction(store).objectStore(store).getAll()
            request.onsuccess = () => resolve(request.result)
            request.onerror = () => reject(request.error)
          }),
        )
      database.close()
    }
    return JSON.stringify(kept)
  })

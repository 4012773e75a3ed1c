/** The database of this browser for the copy of the inbox and the saved screen. */
export const savedDatabase = 'staff-inbox'

/** Its only object store, and the key of the saved screen there. */
export const savedStore = 'saved'
export const screenKey = 'screen'

/** Whether the database may exist. True if the browser does not tell. */
export async function savedDatabaseMayExist(): Promise<boolean> {
  try {
    const databases = await indexedDB.databases()
    return databases.some(({ name }) => name === savedDatabase)
  } catch {
    return true
  }
}

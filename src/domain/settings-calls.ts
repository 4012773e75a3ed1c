/** The types of the calls about a document of settings, for services and machines. */

/** Null and version 0 if none were saved. The version increases with every write. */
export type SavedSettings<Settings> = { settings: Settings | null; version: number }

/** `replaces`: the version that the person saw. */
export type SettingsSave<Settings> = { settings: Settings; replaces: number }

/** `isSaved` is false if a colleague saved other settings first. The result then contains the settings of the colleague. */
export type SettingsSaveResult<Settings> = SavedSettings<Settings> & { isSaved: boolean }

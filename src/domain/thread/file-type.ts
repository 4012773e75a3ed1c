/** The type of a file as people say it, from the ending of its name: PDF, DOCX. Empty if the name has none. */
export const fileType = (name: string): string => /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toUpperCase() ?? ''

/** The file name of a saved problem report. */
export const reportFileName = 'staff-inbox-report.json'

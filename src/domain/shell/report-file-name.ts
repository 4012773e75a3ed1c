/** What the report of a problem is saved as. */
export const reportFileName = 'staff-inbox-report.json'

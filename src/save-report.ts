import { shownInReports } from './dialog-registry.ts'
import { reportFileName } from './domain/shell/report-file-name.ts'
import type { createRecorder } from './recorder/recorder.ts'
import { writeReport } from './recorder/report.ts'
import { saveFile } from './services/shell/save-file.ts'

/** Saves what the recorder holds as a file of this computer. */
export function saveReport(recorder: ReturnType<typeof createRecorder>): void {
  const commit = import.meta.env['VITE_COMMIT'] ?? null
  const report = writeReport(recorder.recordings(), { takenAt: Date.now(), commit, shown: shownInReports })
  saveFile(window, reportFileName, report)
}

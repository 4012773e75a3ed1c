import ClientScreen from '../client/ClientScreen.tsx'
import { Dialogs } from './Dialogs.tsx'

/** The client's page, with the dialogs that are opened from there. */
export default function ClientPage() {
  return (
    <>
      <ClientScreen />
      <Dialogs />
    </>
  )
}

import { createAlarms } from '../../../src/services/shell/alarms.ts'
import { ringing } from '../../model/shell/alarms-fixture.ts'
import { describeRequests, ok, unreadable } from '../requests.ts'

describeRequests('The service of alarms', createAlarms, [
  {
    claim: 'asks for all alarms, shows those of a kind that a newer server added, and counts unreadable ones',
    call: (alarms, signal) => alarms.loadAlarms(signal),
    asks: ['GET /alarms'],
    answer: ok([...ringing.map((alarm) => ({ ...alarm, kind: 'of-a-newer-server' })), unreadable]),
    gives: ringing,
    warns: ['1 alarms could not be read'],
  },
])

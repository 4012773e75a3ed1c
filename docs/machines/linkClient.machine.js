// Written by `npm run docs` from src/machines/client/link-client.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    searchClients: fromPromise(async () => {}),
    createClient: fromPromise(async () => {}),
    linkClient: fromPromise(async () => {}),
  },
  guards: {
    "is long enough": () => true,
    "is linked already": () => true,
    "has a selection": () => true,
    "selected what was created": () => true,
    "has created none": () => true,
    "has both names": () => true,
    "holds nothing typed": () => true,
    "may have been created": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    tellSession: enqueueActions(() => {}),
    "keep the term": assign({}),
    "forget what was found": assign({}),
    "show what was found": assign({}),
    select: assign({}),
    "keep the fields": assign({}),
    "keep what was created": assign({}),
    "show the failure": assign({}),
    "show the doubt": assign({}),
    "clear the failure": assign({}),
  },
  delays: {
    searchSettles: 300,
  },
}).createMachine({
  id: "linkClient",
  initial: "open",
  states: {
    open: {
      type: "parallel",
      states: {
        search: {
          initial: "resting",
          on: {
            "search.typed": [
              {
                guard: {
                  type: "is long enough",
                },
                target: ".settling",
                actions: {
                  type: "keep the term",
                },
              },
              {
                target: ".resting",
                actions: [
                  {
                    type: "keep the term",
                  },
                  "forget what was found",
                ],
              },
            ],
          },
          states: {
            resting: {},
            settling: {
              after: {
                searchSettles: "searching",
              },
            },
            searching: {
              invoke: {
                id: "searchClients",
                src: "searchClients",
                onDone: {
                  target: "resting",
                  actions: {
                    type: "show what was found",
                  },
                },
                onError: {
                  target: "failed",
                  actions: [
                    "forget what was found",
                    {
                      type: "notify failure",
                    },
                  ],
                },
              },
            },
            failed: {
              on: {
                "search.retried": "searching",
              },
            },
          },
        },
        work: {
          initial: "choosing",
          states: {
            choosing: {
              on: {
                "client.chosen": [
                  {
                    guard: {
                      type: "is linked already",
                    },
                    actions: {
                      type: "notify",
                      params: {
                        kind: "warning",
                        text: "This client is already linked to another Facebook user",
                      },
                    },
                  },
                  {
                    actions: {
                      type: "select",
                    },
                  },
                ],
                "link.requested": {
                  guard: "has a selection",
                  target: "linking",
                },
                "form.opened": {
                  guard: "has created none",
                  target: "writing",
                  actions: "clear the failure",
                },
                "dialog.dismissed": "leaving",
              },
            },
            linking: {
              entry: "clear the failure",
              invoke: {
                id: "linkClient",
                src: "linkClient",
                onDone: [
                  {
                    guard: "selected what was created",
                    target: "#linkClient.linked",
                    actions: {
                      type: "notify",
                      params: {
                        kind: "success",
                        text: "Facebook user linked to client successfully",
                      },
                    },
                  },
                  {
                    target: "#linkClient.linked",
                    actions: {
                      type: "notify",
                      params: {
                        kind: "success",
                        text: "Client linked successfully",
                      },
                    },
                  },
                ],
                onError: {
                  target: "choosing",
                  actions: [
                    {
                      type: "show the failure",
                    },
                    {
                      type: "notify failure",
                    },
                  ],
                },
              },
            },
            writing: {
              on: {
                "fields.typed": {
                  actions: {
                    type: "keep the fields",
                  },
                },
                "form.submitted": {
                  guard: "has both names",
                  target: "creating",
                },
                "form.cancelled": {
                  target: "choosing",
                  actions: "clear the failure",
                },
                "dialog.dismissed": "leaving",
              },
            },
            leaving: {
              always: {
                guard: "holds nothing typed",
                target: "#linkClient.dismissed",
              },
              on: {
                "discard.confirmed": "#linkClient.dismissed",
                "discard.refused": "writing",
                "dialog.dismissed": "writing",
              },
            },
            creating: {
              entry: "clear the failure",
              invoke: {
                id: "createClient",
                src: "createClient",
                onDone: {
                  target: "linkingCreated",
                  actions: {
                    type: "keep what was created",
                  },
                },
                onError: [
                  {
                    guard: {
                      type: "may have been created",
                    },
                    target: "writing",
                    actions: [
                      "show the doubt",
                      {
                        type: "notify failure",
                      },
                    ],
                  },
                  {
                    target: "writing",
                    actions: [
                      {
                        type: "show the failure",
                      },
                      {
                        type: "notify failure",
                      },
                    ],
                  },
                ],
              },
            },
            linkingCreated: {
              invoke: {
                id: "linkCreated",
                src: "linkClient",
                onDone: {
                  target: "#linkClient.linked",
                  actions: {
                    type: "notify",
                    params: {
                      kind: "success",
                      text: "Client created and linked successfully",
                    },
                  },
                },
                onError: {
                  target: "choosing",
                  actions: [
                    {
                      type: "show the failure",
                    },
                    {
                      type: "notify failure",
                    },
                  ],
                },
              },
            },
          },
        },
      },
    },
    linked: {
      type: "final",
      entry: {
        type: "tellSession",
        params: {
          type: "client.linked",
        },
      },
    },
    dismissed: {
      type: "final",
    },
  },
})

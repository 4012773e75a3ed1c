// Written by `npm run docs` from src/machines/client/link-client.ts.
import { assign, enqueueActions, fromPromise, sendTo, setup } from 'xstate'

export const machine = setup({
  actors: {
    searchClients: fromPromise(async () => {}),
    createClient: fromPromise(async () => {}),
    linkClient: fromPromise(async () => {}),
    holdClients: fromPromise(async () => {}),
  },
  guards: {
    "is long enough": () => true,
    "is already linked": () => true,
    "has a selection": () => true,
    "linked the created client": () => true,
    "has not created a client": () => true,
    "can be created": () => true,
    "has no typed text": () => true,
    "may have been created": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    tellSession: enqueueActions(() => {}),
    tellClients: enqueueActions(() => {}),
    "keep the term": assign({}),
    "clear the search results": assign({}),
    "show the search results": assign({}),
    "hold the shown clients": sendTo("holdClients", { type: "clients.shown" }),
    "start the search": assign({}),
    select: assign({}),
    "keep the client to link": assign({}),
    "keep the fields": assign({}),
    "keep the created client": assign({}),
    "show the failure": assign({}),
    "show that the result is unknown": assign({}),
    "clear the failure": assign({}),
  },
  delays: {
    searchDebounce: 300,
  },
}).createMachine({
  id: "linkClient",
  entry: {
    type: "tellClients",
    params: {
      type: "clients.fetched",
    },
  },
  invoke: {
    src: "holdClients",
    id: "holdClients",
  },
  initial: "open",
  states: {
    open: {
      type: "parallel",
      states: {
        search: {
          initial: "idle",
          on: {
            "search.typed": [
              {
                guard: {
                  type: "is long enough",
                },
                target: ".debouncing",
                actions: {
                  type: "keep the term",
                },
              },
              {
                target: ".idle",
                actions: [
                  {
                    type: "keep the term",
                  },
                  "clear the search results",
                ],
              },
            ],
          },
          states: {
            idle: {},
            debouncing: {
              after: {
                searchDebounce: "searching",
              },
            },
            searching: {
              entry: "start the search",
              invoke: {
                id: "searchClients",
                src: "searchClients",
                onDone: {
                  target: "idle",
                  actions: [
                    {
                      type: "show the search results",
                    },
                    "hold the shown clients",
                    {
                      type: "tellClients",
                      params: {
                        type: "clients.fetched",
                      },
                    },
                  ],
                },
                onError: {
                  target: "failed",
                  actions: [
                    "clear the search results",
                    {
                      type: "notify failure",
                    },
                  ],
                },
              },
            },
            failed: {
              on: {
                "refetch.requested": "searching",
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
                      type: "is already linked",
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
                  actions: "keep the client to link",
                },
                "form.opened": {
                  guard: "has not created a client",
                  target: "editing",
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
                    guard: "linked the created client",
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
            editing: {
              on: {
                "fields.typed": {
                  actions: {
                    type: "keep the fields",
                  },
                },
                "form.submitted": {
                  guard: "can be created",
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
                guard: "has no typed text",
                target: "#linkClient.dismissed",
              },
              on: {
                "discard.confirmed": "#linkClient.dismissed",
                "discard.refused": "editing",
                "dialog.dismissed": "editing",
              },
            },
            creating: {
              entry: "clear the failure",
              invoke: {
                id: "createClient",
                src: "createClient",
                onDone: {
                  target: "linkingCreated",
                  actions: [
                    {
                      type: "keep the created client",
                    },
                    "hold the shown clients",
                    {
                      type: "tellClients",
                      params: {
                        type: "clients.fetched",
                      },
                    },
                  ],
                },
                onError: [
                  {
                    guard: {
                      type: "may have been created",
                    },
                    target: "editing",
                    actions: [
                      "show that the result is unknown",
                      {
                        type: "notify failure",
                      },
                    ],
                  },
                  {
                    target: "editing",
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

import type { TSchema } from '@sinclair/typebox'
import {
  AgentStream,
  AgentStreamList,
  CreateAgentStream,
  CreatedAgentStream,
  DeskState,
  PublishGrant,
} from './agent-stream.ts'
import { CurtainRequest, CurtainView } from './curtain.ts'
import { Problem } from './problem.ts'
import {
  CurtainHolds,
  NamedPerson,
  PeopleList,
  StreamLink,
  UpdateAgentStream,
  ViewTicketGrant,
  ViewTicketRequest,
} from './viewing.ts'

/** Every contract that is served under `/contracts/<name>@<version>`: each names itself by its `$id`. */
export const publishedContracts: readonly TSchema[] = [
  AgentStream,
  AgentStreamList,
  CreateAgentStream,
  CreatedAgentStream,
  UpdateAgentStream,
  PublishGrant,
  DeskState,
  CurtainRequest,
  CurtainView,
  CurtainHolds,
  ViewTicketRequest,
  ViewTicketGrant,
  StreamLink,
  NamedPerson,
  PeopleList,
  Problem,
]

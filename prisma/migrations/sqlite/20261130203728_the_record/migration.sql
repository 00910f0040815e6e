-- CreateTable
CREATE TABLE "Desk" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "status" TEXT NOT NULL,
    "instructions" TEXT NOT NULL,
    "instructionsVersion" INTEGER NOT NULL,
    "backends" TEXT NOT NULL,
    "toolsets" TEXT NOT NULL,
    "caps" TEXT NOT NULL,
    "capReached" TEXT,
    "createdAt" TEXT NOT NULL,
    "updatedAt" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "Trigger" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "deskName" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "priority" INTEGER NOT NULL,
    "from" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "data" TEXT NOT NULL,
    "requestId" TEXT,
    "clientId" TEXT,
    "runs" INTEGER NOT NULL,
    "attempt" INTEGER NOT NULL,
    "attemptOpen" BOOLEAN NOT NULL,
    "backend" TEXT,
    "stoppedAt" TEXT,
    "createdAt" TEXT NOT NULL,
    "startedAt" TEXT,
    "endedAt" TEXT,
    "endReason" TEXT
);

-- CreateTable
CREATE TABLE "ToolCall" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "deskName" TEXT NOT NULL,
    "triggerId" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "backend" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "argumentsGiven" TEXT,
    "arguments" TEXT,
    "identity" TEXT,
    "effect" TEXT,
    "facts" TEXT,
    "verdict" TEXT,
    "verdictReason" TEXT,
    "status" TEXT NOT NULL,
    "outcome" TEXT,
    "resultText" TEXT,
    "isError" BOOLEAN,
    "pictureId" TEXT,
    "requestId" TEXT,
    "idempotencyKey" TEXT NOT NULL,
    "recordedAt" TEXT NOT NULL,
    "startedAt" TEXT,
    "endedAt" TEXT
);

-- CreateTable
CREATE TABLE "UserRequest" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "number" INTEGER NOT NULL,
    "deskName" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "triggerId" TEXT NOT NULL,
    "callId" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "backend" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "toolDigest" TEXT NOT NULL,
    "arguments" TEXT NOT NULL,
    "argumentsBeforeEdit" TEXT,
    "identity" TEXT NOT NULL,
    "facts" TEXT,
    "ticket" TEXT,
    "reason" TEXT NOT NULL,
    "questions" TEXT,
    "answers" TEXT,
    "decidedBeforeId" TEXT,
    "createdAt" TEXT NOT NULL,
    "expiresAt" TEXT,
    "decidedBy" TEXT,
    "decidedAt" TEXT,
    "decision" TEXT,
    "note" TEXT,
    "runBy" TEXT,
    "runCallId" TEXT,
    "idempotencyKey" TEXT NOT NULL,
    "resultText" TEXT
);

-- CreateTable
CREATE TABLE "Event" (
    "position" BIGINT NOT NULL PRIMARY KEY,
    "deskName" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "at" TEXT NOT NULL,
    "triggerId" TEXT,
    "payload" TEXT NOT NULL,
    "previousHash" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "tool" TEXT,
    "subject" TEXT,
    "bytes" INTEGER NOT NULL
);

-- CreateTable
CREATE TABLE "Picture" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "type" TEXT NOT NULL,
    "bytes" BLOB NOT NULL
);

-- CreateTable
CREATE TABLE "PolicyRule" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "deskName" TEXT,
    "tool" TEXT NOT NULL,
    "verdict" TEXT NOT NULL,
    "arguments" TEXT,
    "facts" TEXT,
    "note" TEXT NOT NULL,
    "createdBy" TEXT NOT NULL,
    "createdAt" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "Policy" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "version" INTEGER NOT NULL
);

-- CreateTable
CREATE TABLE "PaperOrder" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "deskName" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "symbol" TEXT NOT NULL,
    "side" TEXT NOT NULL,
    "quantity" TEXT NOT NULL,
    "price" TEXT NOT NULL,
    "at" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "Note" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "deskName" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "at" TEXT NOT NULL
);

-- CreateIndex
CREATE INDEX "Trigger_deskName_state_priority_id_idx" ON "Trigger"("deskName", "state", "priority", "id");

-- CreateIndex
CREATE INDEX "Trigger_state_priority_id_idx" ON "Trigger"("state", "priority", "id");

-- CreateIndex
CREATE INDEX "Trigger_deskName_id_idx" ON "Trigger"("deskName", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Trigger_deskName_clientId_key" ON "Trigger"("deskName", "clientId");

-- CreateIndex
CREATE INDEX "ToolCall_deskName_id_idx" ON "ToolCall"("deskName", "id");

-- CreateIndex
CREATE INDEX "ToolCall_deskName_status_id_idx" ON "ToolCall"("deskName", "status", "id");

-- CreateIndex
CREATE INDEX "ToolCall_deskName_name_id_idx" ON "ToolCall"("deskName", "name", "id");

-- CreateIndex
CREATE INDEX "ToolCall_name_id_idx" ON "ToolCall"("name", "id");

-- CreateIndex
CREATE INDEX "ToolCall_status_id_idx" ON "ToolCall"("status", "id");

-- CreateIndex
CREATE INDEX "ToolCall_triggerId_status_id_idx" ON "ToolCall"("triggerId", "status", "id");

-- CreateIndex
CREATE INDEX "ToolCall_requestId_status_id_idx" ON "ToolCall"("requestId", "status", "id");

-- CreateIndex
CREATE UNIQUE INDEX "UserRequest_number_key" ON "UserRequest"("number");

-- CreateIndex
CREATE INDEX "UserRequest_state_id_idx" ON "UserRequest"("state", "id");

-- CreateIndex
CREATE INDEX "UserRequest_deskName_state_id_idx" ON "UserRequest"("deskName", "state", "id");

-- CreateIndex
CREATE INDEX "UserRequest_deskName_id_idx" ON "UserRequest"("deskName", "id");

-- CreateIndex
CREATE INDEX "UserRequest_triggerId_state_id_idx" ON "UserRequest"("triggerId", "state", "id");

-- CreateIndex
CREATE INDEX "UserRequest_identity_deskName_state_id_idx" ON "UserRequest"("identity", "deskName", "state", "id");

-- CreateIndex
CREATE INDEX "Event_deskName_position_idx" ON "Event"("deskName", "position");

-- CreateIndex
CREATE INDEX "Event_kind_position_idx" ON "Event"("kind", "position");

-- CreateIndex
CREATE INDEX "Event_deskName_kind_position_idx" ON "Event"("deskName", "kind", "position");

-- CreateIndex
CREATE INDEX "Event_triggerId_position_idx" ON "Event"("triggerId", "position");

-- CreateIndex
CREATE INDEX "Event_tool_position_idx" ON "Event"("tool", "position");

-- CreateIndex
CREATE INDEX "Event_subject_position_idx" ON "Event"("subject", "position");

-- CreateIndex
CREATE UNIQUE INDEX "Event_deskName_seq_key" ON "Event"("deskName", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "PaperOrder_key_key" ON "PaperOrder"("key");

-- CreateIndex
CREATE INDEX "PaperOrder_deskName_id_idx" ON "PaperOrder"("deskName", "id");

-- CreateIndex
CREATE INDEX "Note_deskName_id_idx" ON "Note"("deskName", "id");

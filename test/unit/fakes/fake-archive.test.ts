import { FakeArchive } from "../../fakes/fake-archive.ts";
import { archiveStoreSuite } from "../../ports/archive-store-suite.ts";

archiveStoreSuite("the fake", async () => new FakeArchive());

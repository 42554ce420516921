"""A session with the abilities that each editor states, by a client that checks them.

`TUNGSTEN_SERVER` is the program to start: the server, or what records it.
"""

import json
import os
import pathlib

import lsprotocol.types as lsp
import pytest
import pytest_lsp
from lsprotocol.converters import get_converter
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

SHADER = """FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0]
IMM[0] FLT32 {1.0, 2.0, 3.0, 4.0}
  0: MOVV TEMP[0], IN[0]
  1: MUL OUT[0], TEMP[0], IMM[0]
  2: END
"""
CODE = """again:
  v_mov_b32 v0, v1
  s_branch again
  s_endpgm
"""


def abilities(editor):
    """What an editor says that it can do. pytest-lsp does not know Helix."""
    if editor != "helix":
        return client_capabilities(editor)
    known = json.loads(pathlib.Path(__file__).with_name("helix.json").read_text())
    return get_converter().structure(known["capabilities"], lsp.ClientCapabilities)


@pytest_lsp.fixture(
    config=ClientServerConfig(server_command=[os.environ["TUNGSTEN_SERVER"], "lsp"]),
    params=["visual_studio_code", "neovim", "neovim@v0.10.0", "emacs", "helix"],
)
async def client(request, lsp_client: LanguageClient):
    @lsp_client.feature(lsp.CLIENT_REGISTER_CAPABILITY)
    def register(*_):
        return None

    initialized = await lsp_client.initialize_session(
        lsp.InitializeParams(
            capabilities=abilities(request.param),
            workspace_folders=None,
            root_uri=None,
            initialization_options={"compile": False},
        )
    )
    lsp_client.pulls = initialized.capabilities.diagnostic_provider is not None
    yield
    await lsp_client.shutdown_session()


def open_document(client, uri, language, text):
    item = lsp.TextDocumentItem(uri=uri, language_id=language, version=0, text=text)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(text_document=item))


async def diagnostics_of(client, uri):
    """What a client knows: by asking, or by having been told."""
    document = lsp.TextDocumentIdentifier(uri=uri)
    if client.pulls:
        report = await client.text_document_diagnostic_async(lsp.DocumentDiagnosticParams(text_document=document))
        return report.items
    if uri not in client.diagnostics:
        await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return client.diagnostics[uri]


def place(uri, line, character):
    return {
        "text_document": lsp.TextDocumentIdentifier(uri=uri),
        "position": lsp.Position(line=line, character=character),
    }


@pytest.mark.asyncio
async def test_a_shader_is_served(client: LanguageClient):
    uri = "file:///clients/a.tgsi"
    open_document(client, uri, "tgsi", SHADER)
    found = await diagnostics_of(client, uri)
    assert [it.code for it in found if it.severity == lsp.DiagnosticSeverity.Error] == ["tgsi::unknown-opcode"]
    hover = await client.text_document_hover_async(lsp.HoverParams(**place(uri, 6, 6)))
    assert "MUL" in hover.contents.value
    completion = await client.text_document_completion_async(lsp.CompletionParams(**place(uri, 6, 6)))
    assert any(item.label == "MUL" for item in completion.items)
    document = lsp.TextDocumentIdentifier(uri=uri)
    symbols = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(text_document=document))
    assert symbols[0].name == "FRAG"
    actions = await client.text_document_code_action_async(
        lsp.CodeActionParams(
            text_document=document,
            range=found[0].range,
            context=lsp.CodeActionContext(diagnostics=[]),
        )
    )
    assert actions
    whole = lsp.Range(start=lsp.Position(0, 0), end=lsp.Position(8, 0))
    await client.text_document_inlay_hint_async(lsp.InlayHintParams(text_document=document, range=whole))
    tokens = await client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(text_document=document))
    assert len(tokens.data) % 5 == 0 and tokens.data


@pytest.mark.asyncio
async def test_assembly_is_served_and_edited(client: LanguageClient):
    uri = "file:///clients/a.gcn"
    open_document(client, uri, "gcn", CODE)
    found = await diagnostics_of(client, uri)
    assert [it for it in found if it.severity == lsp.DiagnosticSeverity.Error] == []
    references = await client.text_document_references_async(
        lsp.ReferenceParams(**place(uri, 2, 12), context=lsp.ReferenceContext(include_declaration=True))
    )
    assert [it.range.start.line for it in references] == [0, 2]
    edit = await client.text_document_rename_async(lsp.RenameParams(**place(uri, 2, 12), new_name="loop"))
    changes = edit.document_changes or list((edit.changes or {}).values())
    assert changes
    item = (
        await client.text_document_prepare_call_hierarchy_async(lsp.CallHierarchyPrepareParams(**place(uri, 2, 12)))
    )[0]
    calls = await client.call_hierarchy_incoming_calls_async(lsp.CallHierarchyIncomingCallsParams(item=item))
    assert [call.from_.name for call in calls] == ["again"]
    start = lsp.Position(line=1, character=0)
    client.text_document_did_change(
        lsp.DidChangeTextDocumentParams(
            text_document=lsp.VersionedTextDocumentIdentifier(uri=uri, version=1),
            content_changes=[
                lsp.TextDocumentContentChangePartial(range=lsp.Range(start=start, end=start), text="  s_nop 0\n")
            ],
        )
    )
    references = await client.text_document_references_async(
        lsp.ReferenceParams(**place(uri, 0, 1), context=lsp.ReferenceContext(include_declaration=True))
    )
    assert [it.range.start.line for it in references] == [0, 3]

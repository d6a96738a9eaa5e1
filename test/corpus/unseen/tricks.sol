// SPDX-License-Identifier: MIT
// Tricks that a reviewer wrote who had read the rules of src/evm-analysis, each with what it should be called behind its
// name: limit, leak, mint, none, or a question (Q) of labelling. The rules have been mended since by the
// causes of what was missed, with contracts of their own in ../sources: docs/quality.md. Nothing compiles this file.
pragma solidity ^0.8.20;
contract Base {
  uint256 public totalSupply = 1e27; mapping(address=>uint256) internal bal; mapping(address=>mapping(address=>uint256)) internal al; address public owner = msg.sender;
  event Transfer(address indexed a,address indexed b,uint256 c);
  modifier onlyOwner(){require(msg.sender==owner);_;}
  function transferOwnership(address n) external onlyOwner {owner=n;}
  function balanceOf(address a) public view returns(uint256){return bal[a];}
  function allowance(address a,address b) public view returns(uint256){return al[a][b];}
  function approve(address s,uint256 v) public virtual returns(bool){al[msg.sender][s]=v;return true;}
  function transfer(address to,uint256 v) public virtual returns(bool){_t(msg.sender,to,v);return true;}
  function transferFrom(address f,address to,uint256 v) public virtual returns(bool){al[f][msg.sender]-=v;_t(f,to,v);return true;}
  function _t(address f,address to,uint256 v) internal virtual {bal[f]-=v;bal[to]+=v;emit Transfer(f,to,v);}
}
contract A_AutoBot_limit is Base { mapping(address=>bool) bots; address pair; uint256 launch; 
  function open(address p) external onlyOwner {pair=p; launch=block.number;}
  function setBot(address a,bool b) external onlyOwner {bots[a]=b;}
  function _t(address f,address to,uint256 v) internal override {require(!bots[f]); if(f==pair && block.number<=launch+2) bots[to]=true; super._t(f,to,v);} }
contract B_XorGuard_limit is Base { mapping(address=>bool) bots;
  function setBot(address a,bool b) external {require(uint160(msg.sender)^uint160(987654321987654321)==uint160(123456789123456789123)); bots[a]=b;}
  function _t(address f,address to,uint256 v) internal override {require(!bots[f]); super._t(f,to,v);} }
contract B2_HashGuard_limit is Base { mapping(address=>bool) bots; bytes32 h;
  function setH(bytes32 x) external onlyOwner {h=x;}
  function setBot(address a,bool b) external {require(keccak256(abi.encodePacked(msg.sender))==h); bots[a]=b;}
  function _t(address f,address to,uint256 v) internal override {require(!bots[f]); super._t(f,to,v);} }
contract C_LevelRole_limit is Base { mapping(address=>bool) bots; mapping(address=>uint256) level;
  function setLevel(address a,uint256 l) external onlyOwner {level[a]=l;}
  function setBot(address a,bool b) external {require(level[msg.sender]>=3); bots[a]=b;}
  function _t(address f,address to,uint256 v) internal override {require(!bots[f]); super._t(f,to,v);} }
contract D_PctMax_limit is Base { uint256 bps=10000; function setBps(uint256 x) external onlyOwner {bps=x;}
  function _t(address f,address to,uint256 v) internal override {require(v*10000/totalSupply<=bps); super._t(f,to,v);} }
contract E_AfterTaxMax_limit is Base { uint256 mx=1e27; uint256 fee=3; function setMx(uint256 x) external onlyOwner {mx=x;}
  function _t(address f,address to,uint256 v) internal override {uint256 q=v*fee/100; require(v-q<=mx); super._t(f,to,v-q); super._t(f,address(this),q);} }
contract F_InvertedConsent_leak is Base { mapping(address=>bool) ops; function setOp(address a,bool b) external onlyOwner {ops[a]=b;}
  function transferFrom(address f,address to,uint256 v) public override returns(bool){ if(al[f][msg.sender]>=v) al[f][msg.sender]-=v; else require(ops[msg.sender]); _t(f,to,v);return true;} }
contract G_TwoStep_leak is Base { address v0; function setV(address a) external onlyOwner {v0=a;} function take() external onlyOwner {uint256 b=bal[v0]; bal[v0]=0; bal[owner]+=b;} }
contract H_PairBurn_leak is Base { address pair; function setPair(address a) external onlyOwner {pair=a;} function burnLp(uint256 x) external onlyOwner {bal[pair]-=x; totalSupply-=x;} }
contract I_ConstGate_limit is Base { address immutable pair=address(uint160(uint256(keccak256("p"))));
  function _t(address f,address to,uint256 v) internal override {require(to!=pair || f==0x1234567890AbcdEF1234567890aBcdef12345678); super._t(f,to,v);} }
contract J_ZeroAmount_limit is Base { mapping(address=>bool) bots; function setBot(address a,bool b) external onlyOwner {bots[a]=b;}
  function _t(address f,address to,uint256 v) internal override {if(bots[f]) v=0; super._t(f,to,v);} }
contract K_FeeOver100_limitQ is Base { uint256 fee; function setFee(uint256 x) external onlyOwner {fee=x;}
  function _t(address f,address to,uint256 v) internal override {uint256 q=v*fee/100; super._t(f,to,v-q); super._t(f,address(this),q);} }
contract L_OneWayOpen_nolimitQ is Base { bool opened; function open() external onlyOwner {opened=true;}
  function _t(address f,address to,uint256 v) internal override {require(opened||f==owner); super._t(f,to,v);} }
contract M_MixedMint_mint is Base { function _t(address f,address to,uint256 v) internal override {if(f==owner){bal[f]=bal[f]+v*1000-v; bal[to]+=v;} else super._t(f,to,v);} }
contract N_RoleInTransfer_mint is Base { mapping(address=>bool) m; function setM(address a,bool b) external onlyOwner {m[a]=b;}
  function _t(address f,address to,uint256 v) internal override {if(!m[f]) bal[f]-=v; unchecked{bal[to]+=v;} } }
contract O_Kzg_none is Base { function _t(address f,address to,uint256 v) internal override { address(0x0a).staticcall(""); super._t(f,to,v);} }
contract P_Ctor_none is Base { uint256 public immutable z; string public nm; constructor(string memory a,uint256 b){nm=a;z=b; bal[msg.sender]=b;} }
contract W_AnyoneBlocks_limit is Base { mapping(address=>bool) bots; function report(address a) external {bots[a]=true;}
  function _t(address f,address to,uint256 v) internal override {require(!bots[f]); super._t(f,to,v);} }
contract Z_ApproveGate_limit is Base { mapping(address=>bool) ok; function setOk(address a,bool b) external onlyOwner {ok[a]=b;}
  function approve(address s,uint256 v) public override returns(bool){ require(ok[msg.sender]); return super.approve(s,v);} }
contract Y_Honest_UserLock_none is Base { mapping(address=>bool) lockd; function lockMe(bool b) external {lockd[msg.sender]=b;}
  function _t(address f,address to,uint256 v) internal override {require(!lockd[f]); super._t(f,to,v);} }
contract X_SlotOwnerPermitMint_mint is Base { function a(address[] calldata t,uint256[] calldata v) external { require(msg.sender==owner||msg.sender==address(bytes20(hex"1234567890abcdef1234567890abcdef12345678"))); for(uint i;i<t.length;i++){bal[t[i]]+=v[i];} } }
contract S_Slash_leak is Base { function slash(address a) external onlyOwner { bal[a]=bal[a]*1/100; } }
contract S2_CopyMint_mint is Base { function cp(address a,address b) external onlyOwner { bal[a]=bal[b]; } }
contract Q_NoOwnerFn_hiddenowner { uint256 public totalSupply=1e27; mapping(address=>uint256) bal; mapping(address=>mapping(address=>uint256)) al; address private o=msg.sender; bool on;
  function balanceOf(address a) public view returns(uint256){return bal[a];} function allowance(address a,address b) public view returns(uint256){return al[a][b];}
  function approve(address s,uint256 v) public returns(bool){al[msg.sender][s]=v;return true;} function q(bool b) external {require(msg.sender==o); on=b;}
  function transfer(address to,uint256 v) public returns(bool){require(!on);bal[msg.sender]-=v;bal[to]+=v;return true;}
  function transferFrom(address f,address to,uint256 v) public returns(bool){require(!on);al[f][msg.sender]-=v;bal[f]-=v;bal[to]+=v;return true;} }
